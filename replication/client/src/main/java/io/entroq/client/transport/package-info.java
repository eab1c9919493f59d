/**
 * Sends requests to a server and delivers the responses. It knows messages, connections and what a
 * server supports, but not tasks, request numbers or retries.
 *
 * <p>The client sends requests only over a {@link io.entroq.client.transport.Transport}. All
 * classes may be used on any thread, and only {@link io.entroq.client.transport.Listing} blocks.
 * Receivers run on transport threads and must be quick.
 */
package io.entroq.client.transport;
