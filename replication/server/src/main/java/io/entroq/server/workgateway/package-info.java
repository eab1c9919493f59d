/**
 * The work gateway over WebSocket: a listener, of whose connections each is a gateway of {@code
 * io.entroq.workers} with a program of its own.
 *
 * <p>Only the command {@code work gateway} calls it. Connections are read on one event loop, where
 * nothing blocks. Each connection has three threads: one starts its gateway, waits for its end and
 * closes it, and its worker has two.
 */
package io.entroq.server.workgateway;
