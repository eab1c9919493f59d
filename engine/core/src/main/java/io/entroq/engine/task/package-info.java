/**
 * Tasks as off-heap records: their fields and values, and the texts of claimants and of ids that
 * are not UUIDs. Contains no rules; the state machine decides.
 *
 * <p>Only the state machine calls this, on the applying thread. A {@link
 * io.entroq.engine.task.TaskView} shows a task to callbacks of the state machine and is valid only
 * inside them.
 */
package io.entroq.engine.task;
