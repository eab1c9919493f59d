/**
 * The server process: gRPC and HTTP, authorization, metrics, and the command line that starts it.
 *
 * <p>It may use every other module; only the benchmarks use it.
 */
package io.entroq.server;
