package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.cluster.RecordingLog;
import io.entroq.cluster.service.StateDigest;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member that may not go on, and how the same members go on after all. */
class ClusterClosureTest {
  private static final List<MemberAddress> MEMBERS = List.of(MemberAddress.of("127.0.0.1", 9_000));
  private static final long REQUEST = 4_096;
  private static final long TERM = 3;

  @TempDir Path directory;

  @Test
  void shouldNotGoOnInALaterTerm() {
    try (MemberDirectory opened = bootstrap()) {
      ClusterClosure closure = new ClusterClosure(0, opened);
      assertThatCode(() -> closure.onTerm(TERM + 1)).doesNotThrowAnyException();
      closure.onClose(REQUEST, TERM);
      assertThat(closure.isClosed()).isTrue();
      assertThatThrownBy(() -> closure.onTerm(TERM + 1))
          .isInstanceOf(MemberException.class)
          .hasMessageContaining("set-members --reopen");
    }
    assertThatThrownBy(() -> MemberDirectory.open(config().build()))
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("was stopped to change its members");
  }

  @Test
  void shouldGetOverRequestOnceReopened() {
    try (MemberDirectory opened = bootstrap()) {
      new ClusterClosure(0, opened).onClose(REQUEST, TERM);
    }
    new MembershipChange(config().build()).reopen();
    try (MemberDirectory opened = MemberDirectory.open(config().build())) {
      assertThat(opened.streamOffset()).as("the same cluster").isZero();
      ClusterClosure closure = new ClusterClosure(0, opened);
      closure.onClose(REQUEST, TERM);
      assertThat(closure.isClosed()).as("the log is applied again").isFalse();
      closure.onClose(REQUEST + 96, TERM + 1);
      assertThat(closure.isClosed()).isTrue();
    }
  }

  @Test
  void shouldGetOverRequestThatItHasNotAppliedOnceReopened() {
    try (MemberDirectory opened = bootstrap()) {
      assertThat(opened.cluster().mkdir()).isTrue();
      try (RecordingLog log = new RecordingLog(opened.cluster(), true)) {
        log.appendTerm(7, TERM, 0, 1_000);
      }
    }
    MembershipChange change = new MembershipChange(config().build());
    change.reopen();
    change.reopen();
    try (MemberDirectory opened = MemberDirectory.open(config().build())) {
      ClusterClosure closure = new ClusterClosure(0, opened);
      assertThat(closure.onClose(REQUEST, TERM)).isFalse();
      assertThat(closure.onClose(REQUEST + 96, TERM)).as("a repeated request").isFalse();
      closure.onTerm(TERM + 1);
      assertThat(closure.onClose(REQUEST + 192, TERM + 1)).as("another one").isTrue();
    }
  }

  @Test
  void shouldTellThatAnotherTermHasBegun() {
    try (MemberDirectory opened = bootstrap()) {
      ClusterClosure closure = new ClusterClosure(0, opened);
      CompletableFuture<?> stopped = closure.request(TERM);
      closure.onTerm(TERM);
      assertThat(stopped).isNotDone();
      assertThat(closure.unconfirmed()).as("to be repeated").hasValue(TERM);
      closure.onTerm(TERM + 1);
      assertThat(stopped).isCompletedExceptionally();
      assertThat(closure.unconfirmed()).isEmpty();
      assertThat(closure.request(TERM + 1)).isNotDone();
    }
  }

  @Test
  void shouldTellThatItHasEndedBefore() {
    try (MemberDirectory opened = bootstrap()) {
      ClusterClosure closure = new ClusterClosure(0, opened);
      CompletableFuture<?> stopped = closure.request(TERM);
      closure.onClose(REQUEST, TERM);
      assertThat(closure.unconfirmed()).isEmpty();
      assertThat(stopped).isNotDone();
      closure.end();
      assertThat(closure.hasStopped()).isFalse();
      assertThat(stopped).isCompletedExceptionally();
      assertThat(closure.request(TERM)).isCompletedExceptionally();
    }
  }

  /** The service has written it, but the archive may have failed to record it. */
  @Test
  void shouldNotHaveStoppedWithoutARecordedSnapshot() {
    try (MemberDirectory opened = bootstrap()) {
      ClusterClosure closure = new ClusterClosure(0, opened);
      CompletableFuture<?> stopped = closure.request(TERM);
      closure.onClose(REQUEST, TERM);
      closure.onStop(REQUEST + 96, Optional.of(new StateDigest(1, 2, 3)));
      assertThat(closure.hasStopped()).isFalse();
      assertThat(stopped).isCompletedExceptionally();
      assertThat(closure.failure().orElseThrow()).hasMessageContaining("has no snapshot at");
    }
  }

  @Test
  void shouldRefuseToReopenAnotherMember() {
    try (MemberDirectory opened = bootstrap()) {
      new ClusterClosure(0, opened).onClose(REQUEST, TERM);
    }
    List<MemberAddress> three =
        List.of(
            MEMBERS.get(0),
            MemberAddress.of("127.0.0.1", 9_010),
            MemberAddress.of("127.0.0.1", 9_020));
    assertThatThrownBy(
            () -> new MembershipChange(MemberConfig.of(0, three, directory).build()).reopen())
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("only the same members can go on");
    assertThatThrownBy(() -> new MembershipChange(config().build()).apply(REQUEST))
        .as("it has not stopped")
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("has no snapshot at");
  }

  @Test
  void shouldKeepMembersOfDifferentSizesApart() {
    MemberFile three = new MemberFile(0, 3, 1, 2, 0, REQUEST, true, 0);
    assertThat(three.streamOffset()).isZero();
    assertThat(three.changed(0, 5, 8_192).streamOffset())
        .isPositive()
        .isNotEqualTo(three.changed(0, 3, 8_192).streamOffset())
        .isEqualTo(three.changed(4, 5, 8_192).streamOffset());
  }

  private MemberDirectory bootstrap() {
    return MemberDirectory.open(config().bootstrap(true).build());
  }

  private MemberConfig.Builder config() {
    return MemberConfig.of(0, MEMBERS, directory);
  }
}
