/**
 * The contract between transports, filters and the queue: a transport calls {@link
 * io.entroq.service.call.Service#handle}, gets a {@link io.entroq.service.call.Call} to control it,
 * and supplies the {@link io.entroq.service.call.Reply} that receives the response.
 *
 * <p>Services run on the transport's thread and do not block. Replies come on any thread.
 */
package io.entroq.service.call;
