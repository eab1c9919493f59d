/**
 * Tasks as records outside the heap: the fields of each, its value, and the texts of odd ids and
 * claimants. Knows no rules; the state machine decides.
 *
 * <p>Called by the state machine only, on the thread that applies commands. A {@link
 * io.entroq.engine.task.TaskView} is what the outside sees of a task, inside a callback.
 */
package io.entroq.engine.task;
