/**
 * The contract of a call, between transports, filters and the queue: a transport calls {@link
 * io.entroq.service.call.Service#handle}, gets a {@link io.entroq.service.call.Call} to control it,
 * and hears its {@link io.entroq.service.call.Reply}.
 *
 * <p>Services run on the transport's thread and do not block. Replies come on any thread.
 */
package io.entroq.service.call;
