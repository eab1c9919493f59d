/**
 * The rules of protocol 2, and how often each decided something in a world. A package of its own,
 * because tests of clients and of random commands read the counts, and need nothing else of the
 * ledger.
 */
package io.entroq.simulator.coverage;
