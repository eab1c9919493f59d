/**
 * What people and programs see of a run of the load generator: how it stands, a table, and one line
 * of JSON. Called on the thread that runs it.
 */
package io.entroq.server.bench.report;
