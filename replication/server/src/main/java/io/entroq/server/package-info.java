/**
 * The process that serves: gRPC and HTTP, authorization, metrics, and the command line that starts
 * it all.
 *
 * <p>The edge of the product: it may use every other module, and only the benchmarks use it.
 */
package io.entroq.server;
