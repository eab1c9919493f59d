/**
 * The one session by which a member sends what its callers ask, and what it has to say to the other
 * members, to the leader, whoever that is: who it says it is, how it finds the leader and follows
 * it to the next one, and the thread that does so, which the engine calls the proposing one.
 * Answers do not come this way.
 */
package io.entroq.cluster.session;
