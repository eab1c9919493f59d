/**
 * The state machine as Aeron's clustered service: applies committed commands in log order and log
 * time, and writes and reads snapshots.
 *
 * <p>It runs on the one thread of the service container, the applying thread. Other threads query
 * the state by {@link io.entroq.cluster.service.QueueService#query} and read statistics. Members
 * also send control messages through the log that are not commands: snapshot digests, the digest of
 * the seed that a cluster starts from, supported levels, and notices. Of these only the seed
 * changes the state.
 */
package io.entroq.cluster.service;
