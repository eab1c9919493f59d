package io.entroq.cluster.member;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.aeron.archive.codecs.SourceLocation;
import io.aeron.cluster.ConsensusModule;
import io.aeron.security.CredentialsSupplier;
import io.aeron.security.NullCredentialsSupplier;
import io.entroq.api.Modification;
import io.entroq.cluster.session.ArchiveAccess;
import io.entroq.cluster.session.MemberCredentials;
import io.entroq.cluster.session.MemberPrincipal;
import io.entroq.cluster.session.MemberSecret;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What processes that reach the archive's port can do there. */
class ArchiveAccessIT {
  private static final MemberSecret SECRET = TestCluster.SECRET;
  private static final MemberSecret OTHER =
      MemberSecret.of("the secret of another".getBytes(UTF_8));
  private static final String NEW = "aeron:udp?endpoint=127.0.0.1:0";

  @TempDir Path directory;
  private LoneMember lone;
  private Aeron aeron;

  @BeforeEach
  void open() throws Exception {
    lone = new LoneMember(directory);
  }

  /** With a snapshot, and an Aeron client for sessions with its archive. */
  private void start(Optional<MemberSecret> secret) {
    lone.start(
        settings -> {
          secret.ifPresent(settings::secret);
          return settings.bootstrap(true);
        });
    lone.awaitLeader();
    lone.member().queue().modify(Modification.insert("inbox", "task")).orThrow();
    lone.snapshot();
    aeron =
        Aeron.connect(
            new Aeron.Context()
                .aeronDirectoryName(lone.member().config().driverDirectory().toString())
                .errorHandler(error -> {}));
  }

  @AfterEach
  void close() {
    if (aeron != null) {
      aeron.close();
    }
    lone.close();
  }

  @Test
  void shouldRefuseStrangers() {
    start(Optional.of(SECRET));
    byte[] principal = MemberPrincipal.of(1);
    List<CredentialsSupplier> strangers =
        List.of(
            new NullCredentialsSupplier(),
            new ArchiveAccess(Optional.empty(), () -> 0).remoteCredentials(),
            new ArchiveAccess(Optional.of(OTHER), () -> 0).remoteCredentials(),
            new ArchiveAccess(Optional.of(OTHER), () -> 0).ownCredentials(),
            // The answer to a challenge of the consensus module.
            new MemberCredentials(principal, Optional.of(SECRET)));
    for (CredentialsSupplier stranger : strangers) {
      assertThatThrownBy(() -> connect(stranger).close())
          .isInstanceOf(ArchiveException.class)
          .extracting(error -> ((ArchiveException) error).errorCode())
          .isEqualTo(ArchiveException.AUTHENTICATION_REJECTED);
    }
    checkMember();
  }

  @Test
  void shouldLetMembersReadButNotChange() {
    start(Optional.of(SECRET));
    checkReader(new ArchiveAccess(Optional.of(SECRET), () -> 0).remoteCredentials());
  }

  /** As members of older builds do. */
  @Test
  void shouldLetAllReadWithoutSecret() {
    start(Optional.empty());
    checkReader(new NullCredentialsSupplier());
    checkReader(new ArchiveAccess(Optional.empty(), () -> 0).ownCredentials());
  }

  /** Like a member of an older build in an upgrade, which knows no secret of archives. */
  @Test
  void shouldCatchUpWithoutAccessToOtherArchives() throws Exception {
    AtomicInteger odd = new AtomicInteger(-1);
    try (TestCluster cluster =
        new TestCluster(
            directory,
            settings ->
                settings.build().memberId() == odd.get() ? settings.secret(OTHER) : settings)) {
      int leader = cluster.bootstrap().awaitLeader();
      odd.set(cluster.follower(leader));
      cluster.stop(odd.get());
      cluster.queue(leader).modify(Modification.insert("inbox", "task")).orThrow();
      ClusterMember late = cluster.start(odd.get());
      long enough = cluster.member(leader).status().appliedSequence();
      Await.until("it has the log", () -> late.status().appliedSequence() >= enough);
    }
  }

  private void checkReader(CredentialsSupplier credentials) {
    try (AeronArchive archive = connect(credentials)) {
      Map<Long, Long> before = recordings(archive);
      assertThat(before).hasSizeGreaterThan(2);
      long first = before.keySet().iterator().next();
      int stream = ConsensusModule.Configuration.logStreamId();
      refuse(() -> archive.startRecording(NEW, 1, SourceLocation.REMOTE));
      refuse(() -> archive.extendRecording(first, NEW, 1, SourceLocation.REMOTE));
      refuse(() -> archive.tryStopRecordingByIdentity(first));
      refuse(() -> archive.stopRecording(NEW, stream));
      refuse(() -> archive.truncateRecording(first, 0));
      refuse(() -> archive.purgeRecording(first));
      refuse(() -> archive.purgeSegments(first, 0));
      refuse(() -> archive.detachSegments(first, 0));
      refuse(() -> archive.deleteDetachedSegments(first));
      refuse(() -> archive.attachSegments(first));
      refuse(() -> archive.migrateSegments(first, first));
      refuse(() -> archive.updateChannel(first, NEW));
      refuse(() -> archive.stopAllReplays(first));
      refuse(() -> archive.replicate(first, first, stream, NEW, null));
      assertThat(archive.getStartPosition(first)).isZero();
      assertThat(archive.getMaxRecordedPosition(first)).isPositive();
      assertThat(recordings(archive)).isEqualTo(before);
    }
    checkMember();
  }

  private static void refuse(ThrowingCallable change) {
    assertThatThrownBy(change)
        .isInstanceOf(ArchiveException.class)
        .extracting(error -> ((ArchiveException) error).errorCode())
        .isEqualTo(ArchiveException.UNAUTHORISED_ACTION);
  }

  /** Start positions by recording. */
  private static Map<Long, Long> recordings(AeronArchive archive) {
    Map<Long, Long> found = new LinkedHashMap<>();
    archive.listRecordings(
        0,
        Integer.MAX_VALUE,
        (sessionId,
            correlationId,
            recordingId,
            startTime,
            stopTime,
            start,
            stop,
            termId,
            segmentBytes,
            termBytes,
            mtu,
            session,
            stream,
            channel,
            original,
            source) -> found.put(recordingId, start));
    return found;
  }

  private AeronArchive connect(CredentialsSupplier credentials) {
    return AeronArchive.connect(
        new AeronArchive.Context()
            .aeron(aeron)
            .ownsAeronClient(false)
            .messageTimeoutNs(TimeUnit.SECONDS.toNanos(30))
            .controlRequestChannel(
                "aeron:udp?endpoint=" + lone.member().config().address().archive())
            .controlResponseChannel(NEW)
            .credentialsSupplier(credentials));
  }

  private void checkMember() {
    lone.member().queue().modify(Modification.insert("inbox", "task")).orThrow();
    lone.snapshot();
  }
}
