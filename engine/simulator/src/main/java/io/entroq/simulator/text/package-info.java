/**
 * What failures print: commands on one line, and the newest of them. A package of its own because
 * it knows messages only, and nothing of what the ledger checks.
 */
package io.entroq.simulator.text;
