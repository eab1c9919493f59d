package io.entroq.cluster.member;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Durability;
import io.entroq.api.EntroQ;
import io.entroq.cluster.service.StateDigest;
import io.entroq.cluster.session.MemberSecret;
import io.entroq.engine.Closing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Three members, or another number, in this process with a secret, on ports of the system's choice,
 * under one clock of the test's.
 */
final class TestCluster implements AutoCloseable {
  static final int MEMBERS = 3;
  static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(1);
  static final MemberSecret SECRET = MemberSecret.of("the secret of members".getBytes(UTF_8));

  private final Path directory;
  private final List<MemberAddress> addresses;
  private final ClusterMember[] members;
  private final TestClock clock = new TestClock();
  private final UnaryOperator<MemberConfig.Builder> settings;

  TestCluster(Path directory) throws IOException {
    this(directory, UnaryOperator.identity());
  }

  /**
   * @param settings what else is set for each member
   */
  TestCluster(Path directory, UnaryOperator<MemberConfig.Builder> settings) throws IOException {
    this(directory, new UnusedPorts("127.0.0.1").members(MEMBERS), settings);
  }

  TestCluster(
      Path directory, List<MemberAddress> addresses, UnaryOperator<MemberConfig.Builder> settings) {
    this.directory = directory;
    this.settings = settings;
    this.addresses = addresses;
    members = new ClusterMember[addresses.size()];
  }

  /** Starts all for the first time. */
  TestCluster bootstrap() {
    for (int id = 0; id < members.length; id++) {
      bootstrap(id);
    }
    return this;
  }

  /** Starts one for the first time. */
  ClusterMember bootstrap(int id) {
    members[id] = ClusterMember.start(config(id).bootstrap(true).build());
    return members[id];
  }

  MemberConfig.Builder config(int id) {
    return config(id, directory(id));
  }

  /** The same in another directory. */
  MemberConfig.Builder config(int id, Path own) {
    return settings.apply(
        MemberConfig.of(id, addresses, own)
            .durability(Durability.OS)
            .liveness(Liveness.withHeartbeatTimeout(HEARTBEAT_TIMEOUT))
            .secret(SECRET)
            .clock(() -> clock));
  }

  Path directory(int id) {
    return directory.resolve("member-" + id);
  }

  /** Starts one that is down. */
  ClusterMember start(int id) {
    return start(config(id).build());
  }

  /** Starts one that is down with other settings. */
  ClusterMember start(MemberConfig config) {
    int id = config.memberId();
    assertThat(members[id]).isNull();
    members[id] = ClusterMember.start(config);
    return members[id];
  }

  void startAll() {
    for (int id = 0; id < members.length; id++) {
      start(id);
    }
  }

  void stop(int id) {
    ClusterMember member = members[id];
    members[id] = null;
    member.close();
  }

  void stopAll() {
    for (int id = 0; id < members.length; id++) {
      if (members[id] != null) {
        stop(id);
      }
    }
  }

  void kill(int id) {
    ClusterMember member = members[id];
    members[id] = null;
    member.kill();
  }

  ClusterMember member(int id) {
    return members[id];
  }

  EntroQ queue(int id) {
    return members[id].queue();
  }

  Stream<ClusterMember> members() {
    return Stream.of(members).filter(Objects::nonNull);
  }

  /** Waits until all running members have the same leader. */
  int awaitLeader() {
    Await.until(
        "there is a leader",
        () ->
            members().filter(member -> member.status().isLeader()).count() == 1
                && members().allMatch(member -> member.status().hasLeader()));
    return IntStream.range(0, members.length)
        .filter(id -> members[id] != null && members[id].status().isLeader())
        .findFirst()
        .orElseThrow();
  }

  /** A follower. */
  int follower(int leader) {
    return IntStream.range(0, members.length)
        .filter(id -> id != leader && members[id] != null)
        .findFirst()
        .orElseThrow();
  }

  TestClock clock() {
    return clock;
  }

  /** Waits until all have applied the same log, and checks that their digests agree. */
  StateDigest awaitAgreement() {
    Await.until(
        "all have applied the same",
        () ->
            members()
                    .map(ClusterMember::status)
                    .mapToLong(MemberStatus::appliedSequence)
                    .distinct()
                    .count()
                == 1);
    List<StateDigest> digests = members().map(member -> member.digest().join()).toList();
    if (digests.stream().mapToLong(StateDigest::sequence).distinct().count() > 1) {
      // A command was applied between two reads.
      return awaitAgreement();
    }
    assertThat(digests.stream().distinct()).hasSize(1);
    return digests.get(0);
  }

  @Override
  public void close() {
    Closing.all(members().toArray(AutoCloseable[]::new));
  }
}
