/**
 * Orders that go from one single-purpose worker to the next, each with its own way in its luggage.
 *
 * <p>A step is a queue and workers that know nothing but that step. What an order has to go through
 * stands in the value of its task; a worker does its step and, in one commit, deletes the task and
 * inserts one for the next step. So an order is in exactly one queue at any moment, whichever
 * workers die, and it ends once. Steps branch by changing the route.
 *
 * <p>{@link io.entroq.examples.trampoline.Orders} is the program; {@link
 * io.entroq.examples.trampoline.Trampoline} is the part to copy. Steps are called on threads of
 * their workers.
 */
package io.entroq.examples.trampoline;
