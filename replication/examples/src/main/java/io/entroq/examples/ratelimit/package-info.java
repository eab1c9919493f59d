/**
 * Calls of an API that allows so many a second, and so many at once, from two queues.
 *
 * <p>The queues share a limiter, which the server enforces, for workers in all processes and
 * languages. If the API still says "too many", the limiter is paused for as long as it asks for, in
 * the step in which the call's task fails.
 *
 * <p>{@link io.entroq.examples.ratelimit.ApiCalls} is the program; {@link
 * io.entroq.examples.ratelimit.ApiLimits} and {@link io.entroq.examples.ratelimit.ApiHandler} are
 * the parts to copy. Workers call handlers on their own threads.
 */
package io.entroq.examples.ratelimit;
