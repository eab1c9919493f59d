package io.entroq.server.remote;

import static io.entroq.service.testing.Await.until;

import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.worker.Backoff;
import io.entroq.client.ClientConfig;
import io.entroq.cluster.member.ClusterMember;
import io.entroq.cluster.member.MemberAccess;
import io.entroq.cluster.member.MemberAddress;
import io.entroq.cluster.member.MemberConfig;
import io.entroq.engine.Closing;
import io.entroq.service.feed.Feeds;
import io.entroq.service.grpc.GrpcServer;
import io.entroq.service.grpc.GrpcServerConfig;
import io.entroq.service.limit.Limit;
import io.entroq.service.queue.BlockedClaims;
import io.entroq.service.queue.QueueService;
import io.entroq.service.testing.MemberPorts;
import io.entroq.service.validation.ValidatedService;
import io.entroq.service.view.ViewService;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Three members of a cluster in this process, with a server before each. One thread at a time
 * starts and ends members; the rest may be asked on any.
 */
final class ServedMembers implements AutoCloseable {
  static final int MEMBERS = 3;

  private final Path directory;
  private final UnaryOperator<MemberConfig.Builder> settings;
  private final List<MemberAddress> addresses;
  private final List<Integer> ports;
  private final ClusterMember[] members = new ClusterMember[MEMBERS];
  private final GrpcServer[] servers = new GrpcServer[MEMBERS];
  private final Feeds[] feeds = new Feeds[MEMBERS];

  /**
   * Starts all for the first time.
   *
   * @param settings what else is set for each member
   */
  ServedMembers(Path directory, UnaryOperator<MemberConfig.Builder> settings) throws IOException {
    this.directory = directory;
    this.settings = settings;
    List<Integer> free = MemberPorts.take(2 * MEMBERS);
    addresses =
        free.subList(0, MEMBERS).stream().map(port -> MemberAddress.of("127.0.0.1", port)).toList();
    ports = free.subList(MEMBERS, 2 * MEMBERS);
    for (int id = 0; id < MEMBERS; id++) {
      start(id, true);
    }
  }

  /** Starts one that has ended, and its server on the port that it had. */
  void start(int id) throws IOException {
    start(id, false);
  }

  private void start(int id, boolean isFirst) throws IOException {
    MemberConfig config =
        settings
            .apply(
                MemberConfig.of(id, addresses, directory.resolve("member-" + id))
                    .durability(Durability.OS))
            .bootstrap(isFirst)
            .build();
    ClusterMember member = ClusterMember.start(config);
    synchronized (this) {
      members[id] = member;
    }
    Feeds ofMember = new Feeds(member.feed(), member.gateway()::logId);
    feeds[id] = ofMember;
    servers[id] =
        GrpcServer.start(
            member.queue().gateway(),
            GrpcServerConfig.on(ports.get(id)),
            service ->
                new ValidatedService(
                    new ViewService(
                        ofMember.before(service),
                        member.views(),
                        view ->
                            new QueueService(
                                service.facade(),
                                view.gateway(),
                                new BlockedClaims(),
                                Limit.MESSAGE_BYTES.standard()))));
  }

  /** Ends a member, and cuts its server's connections without a word to anybody. */
  void stop(int id) {
    cut(id);
    take(id).close();
  }

  /** The same without a word to the other members, which notice that it is silent. */
  void kill(int id) {
    cut(id);
    MemberAccess.kill(take(id));
  }

  private void cut(int id) {
    servers[id].close();
    feeds[id].close();
  }

  private synchronized ClusterMember take(int id) {
    ClusterMember member = members[id];
    members[id] = null;
    servers[id] = null;
    return member;
  }

  /** Waits until one leads, and all that are up follow it. */
  int awaitLeader() {
    until(
        "there is a leader",
        () ->
            up().stream().filter(member -> member.status().isLeader()).count() == 1
                && up().stream().allMatch(member -> member.status().hasLeader()));
    return up().stream()
        .filter(member -> member.status().isLeader())
        .findFirst()
        .map(member -> member.config().memberId())
        .orElseThrow();
  }

  /** Waits until each member that is up has its session with the leader. */
  void awaitSessions() {
    for (ClusterMember member : up()) {
      int id = member.config().memberId();
      member.queue().modify(Modification.insert("member " + id, "first")).orThrow();
    }
  }

  /** One that is up and does not lead. */
  int follower(int leader) {
    return up().stream()
        .map(member -> member.config().memberId())
        .filter(id -> id != leader)
        .findFirst()
        .orElseThrow();
  }

  /** Waits until each of its members knows of no claim that waits. */
  void awaitNobodyWaiting() {
    until("no claim waits", () -> up().stream().allMatch(ServedMembers::hasNobodyWaiting));
  }

  private static boolean hasNobodyWaiting(ClusterMember member) {
    try {
      return member.parkedClaims().join() == 0;
    } catch (CompletionException e) {
      // It has ended meanwhile.
      return false;
    }
  }

  private synchronized List<ClusterMember> up() {
    return Arrays.stream(members).filter(Objects::nonNull).toList();
  }

  /** The queue of one that is up, for callers in this process. */
  synchronized EntroQ queue(int id) {
    return members[id].queue();
  }

  int port(int id) {
    return ports.get(id);
  }

  /** The set-up of a client that knows all members, and does not wait long before it asks again. */
  ClientConfig.Builder config(Over over) {
    String all =
        IntStream.range(0, MEMBERS)
            .mapToObj(id -> "localhost:" + port(id))
            .collect(Collectors.joining(","));
    return ClientConfig.to(all)
        .streaming(over == Over.STREAM)
        .silence(Duration.ofMillis(500))
        .backoff(new Backoff(Duration.ofMillis(5), Duration.ofMillis(200), 0.5));
  }

  @Override
  public void close() {
    Arrays.stream(servers).filter(Objects::nonNull).forEach(GrpcServer::close);
    Arrays.stream(feeds).filter(Objects::nonNull).forEach(Feeds::close);
    Closing.all(up().toArray(AutoCloseable[]::new));
  }
}
