package io.entroq.cluster.session;

import io.aeron.Aeron;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * How a member's session reaches the leader, which may be the member itself.
 *
 * @param clientContext of the client of the member's media driver
 * @param ingressChannel without an endpoint
 * @param ingressStreamId of the ingress
 * @param ingressEndpoints of all members, each preceded by its id
 * @param egressChannel receives events
 * @param connectTimeout of one attempt
 * @param leaderTimeout how long to wait for a new leader before the session is reopened
 * @param keepAlive interval of keepalives on an idle session
 * @param closeTimeout how long a close waits for requests in flight
 * @param sent called after each message is sent, to wake the driver
 * @param secret the members' secret, if there is one
 * @param error called with errors that are retried
 * @param ended called with the cause if the session ends for good, which must end the member
 */
public record SessionConfig(
    Supplier<Aeron.Context> clientContext,
    String ingressChannel,
    int ingressStreamId,
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
