/**
 * Opens an engine in this process for a run of the load generator, and closes it afterwards. Called
 * by the command line, on its main thread.
 */
package io.entroq.server.bench.local;
