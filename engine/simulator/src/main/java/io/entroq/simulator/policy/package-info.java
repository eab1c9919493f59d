/**
 * The rules of queues as the ledger models them, from their definition alone: policies and limiters
 * with their versions and pauses, which of them apply to a queue, when a rate permits a start, how
 * a task is held, and how long it rests after a failure.
 */
package io.entroq.simulator.policy;
