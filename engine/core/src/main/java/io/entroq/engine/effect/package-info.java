/**
 * What the steps of the state machine do to tasks, docs, doc sets, policies and queues, in the
 * order in which they do it. That order is part of the behavior level. A sink is called on the
 * thread that applies records.
 */
package io.entroq.engine.effect;
