/**
 * Ready-made workers. Most are {@linkplain io.entroq.api.worker.Handler handlers}: give them to
 * {@link io.entroq.api.worker.Worker}, which claims, renews leases, retries and quarantines.
 *
 * <p>{@link io.entroq.workers.MapHandler}, {@link io.entroq.workers.HttpRequestHandler} and {@link
 * io.entroq.workers.ProcessHandler} make a result of each task and insert it into an outbox, in the
 * Modify that deletes the task: {@link io.entroq.workers.Results} says where. {@link
 * io.entroq.workers.FileHandler} and {@link io.entroq.workers.AppendHandler} keep values in files.
 * {@link io.entroq.workers.BatchWorker} makes one task of many. {@link
 * io.entroq.workers.WorkGateway} gives tasks to a program in another language, over pipes or
 * another {@link io.entroq.workers.GatewayTransport}.
 *
 * <p>For applications and for the command line, {@code entroq work}. Handlers are thread-safe and
 * run on the threads of their workers.
 */
package io.entroq.workers;
