/**
 * Orders that pass from one single-purpose worker to the next; each order carries its own route.
 *
 * <p>A step is a queue and workers for only that step. The value of a task holds the order's
 * remaining steps. A worker runs its step and, in one commit, deletes the task and inserts one for
 * the next step. So an order is always in exactly one queue, whichever workers die, and ends once.
 * Steps branch by changing the route.
 *
 * <p>{@link io.entroq.examples.trampoline.Orders} is the program; {@link
 * io.entroq.examples.trampoline.Trampoline} is the part to copy. Workers call steps on their own
 * threads.
 */
package io.entroq.examples.trampoline;
