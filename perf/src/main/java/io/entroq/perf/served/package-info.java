/**
 * Measures a served queue from the outside: clients in this process, over loopback, and beside our
 * server a bare echo on the same stack that answers the same requests with messages of the same
 * sizes, each server in a process of its own. {@link io.entroq.perf.served.ServedQueue} is the main
 * method.
 */
package io.entroq.perf.served;
