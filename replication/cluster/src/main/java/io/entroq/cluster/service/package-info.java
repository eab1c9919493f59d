/**
 * The state machine as a clustered service: what a majority has is applied here, in its order, with
 * its time; and snapshots of the state are written and read. That is done on the one thread of the
 * service container, which the engine calls the applying one; other threads ask through {@link
 * io.entroq.cluster.service.QueueService#ask}, and read figures.
 *
 * <p>Members also tell each other things through the log that are no commands: the digests of their
 * snapshots, with which they find out that they have come apart, the seed that they have begun
 * with, and the levels that they support. They are heard here, and change no state but for the
 * seed.
 */
package io.entroq.cluster.service;
