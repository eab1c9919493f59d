package io.entroq.cluster.session;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.agrona.concurrent.EpochClock;

/**
 * How a member reaches the leader, which may be itself.
 *
 * @param driverDirectory of its media driver
 * @param clock that the media driver goes by
 * @param ingressChannel without endpoint
 * @param ingressEndpoints of all members, each with its id in front
 * @param egressChannel where events come back
 * @param connectTimeout for one attempt
 * @param leaderTimeout how long to wait for word of a new leader before a new session is opened
 * @param keepAlive how often a quiet session says that it is there
 * @param closeTimeout how long what is under way gets when the member is closed
 * @param sent is told that something has been sent, and sees to it that it leaves at once
 * @param secret by which members know each other; empty: none
 * @param error hears of what goes wrong and is tried again
 * @param ended hears of what nothing can be sent any more for, so that the member has to end
 */
public record SessionConfig(
    String driverDirectory,
    EpochClock clock,
    String ingressChannel,
    String ingressEndpoints,
    String egressChannel,
    Duration connectTimeout,
    Duration leaderTimeout,
    Duration keepAlive,
    Duration closeTimeout,
    Runnable sent,
    Optional<MemberSecret> secret,
    Consumer<Throwable> error,
    Consumer<Throwable> ended) {}
