package io.entroq.cluster.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogException;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import io.entroq.engine.state.FrozenState;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which images count, on a disk that fails and after a kill at any point. */
class ImageStoreTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path directory;

  private final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
  private final AtomicBoolean isRefusing = new AtomicBoolean();
  private final CountingListener counts = new CountingListener();
  private volatile Wait beforeForce = () -> {};

  @AfterEach
  void close() {
    machine.close();
  }

  @Test
  void shouldCallWholeSnapshotsCompleteAndReferencesOnceTheirImageIs() {
    ImageStore images = open();
    assertThat(images.isComplete(100)).isTrue();
    images.refer(100);
    assertThat(images.isComplete(99)).isTrue();
    assertThat(images.isReference(99)).isFalse();
    assertThat(images.isComplete(100)).isFalse();
    take(images, 100);
    assertThat(images.isComplete(100)).isTrue();
    assertThat(images.isComplete(200)).isFalse();
    assertThat(open().isComplete(100)).isTrue();
    assertThat(open().isComplete(200)).isFalse();
    assertThat(counts.written).isEqualTo(1);
    assertThat(images.changes()).isEqualTo(1);
  }

  /** The format does not change: other builds read it. */
  @Test
  void shouldWriteAnIndexOfLines() throws IOException {
    ImageStore images = open();
    images.refer(4_096);
    images.complete(4_096, 731);
    images.complete(8_192, 1_462);
    assertThat(directory.resolve("images/index"))
        .hasContent(
            """
            entroq-images 1
            first 4096
            image 4096 731
            image 8192 1462
            crc e8bca8cb
            """);
    byte[] bytes = Files.readAllBytes(directory.resolve("images/index"));
    for (int at = 0; at < bytes.length; at++) {
      bytes[at] ^= 1;
      Files.write(directory.resolve("images/index"), bytes);
      assertThatThrownBy(this::open)
          .isInstanceOf(LogException.class)
          .hasMessageContaining("Replace the member from a healthy one");
      bytes[at] ^= 1;
    }
  }

  @Test
  void shouldLoadOnlyTheStateThatIsReferredTo() throws IOException {
    ImageStore images = open();
    take(images, 100);
    byte[] head = head();
    try (StateMachine loaded = images.load(0, head)) {
      assertThat(loaded.contentDigest()).isEqualTo(machine.contentDigest());
    }
    byte[] other = head.clone();
    other[other.length - 2] ^= 1;
    assertThatThrownBy(() -> images.load(0, other))
        .isInstanceOf(SnapshotDamagedException.class)
        .hasMessageContaining("it is of another state");
    Path state = images.at(100).orElseThrow().state();
    byte[] bytes = Files.readAllBytes(state);
    bytes[bytes.length / 2] ^= 1;
    Files.write(state, bytes);
    assertThatThrownBy(() -> images.load(0, head)).isInstanceOf(SnapshotDamagedException.class);
  }

  @Test
  void shouldShareAnImageAmongSnapshotsOfTheSameState() {
    ImageStore images = open();
    take(images, 100);
    take(images, 200);
    assertThat(files()).hasSize(1);
    images.remove(position -> position == 100);
    assertThat(images.at(200)).isPresent();
    images.remove(position -> position == 200);
    assertThat(files()).isEmpty();
    assertThat(images.isComplete(200)).isFalse();
  }

  @Test
  void shouldLeaveNothingOfAnImageThatTheDiskRefuses() {
    ImageStore images = open();
    images.refer(100);
    isRefusing.set(true);
    ImageTaker taker = new ImageTaker(images, counts);
    PendingImage image = taker.begin(machine, 100);
    taker.end(true, ImageTaker.END_TIMEOUT);
    assertThat(image.written()).isEmpty();
    assertThat(counts.failed).isEqualTo(1);
    assertThat(images.isComplete(100)).isFalse();
    assertThat(files()).isEmpty();

    isRefusing.set(false);
    take(images, 200);
    assertThat(images.isComplete(200)).isTrue();
  }

  /** Otherwise it would count as being written for ever. */
  @Test
  void shouldNotTellOfAnImageThatDoesNotBegin() {
    ImageTaker taker = new ImageTaker(open(), counts);
    FrozenState other = machine.freeze();
    assertThatThrownBy(() -> taker.begin(machine, 100)).isInstanceOf(RuntimeException.class);
    assertThat(counts.begun).isEqualTo(counts.failed);
    other.release();
    machine.thaw();
  }

  /** The applying thread must not wait for a disk that deletes gigabytes. */
  @Test
  void shouldNotBlockWhoAppliesWhileImagesAreDeletedOrListed() throws Exception {
    ImageStore images = open();
    take(images, 100);
    for (Runnable change :
        List.<Runnable>of(() -> images.complete(200, 9), () -> images.remove(p -> p == 100))) {
      CountDownLatch isForcing = new CountDownLatch(1);
      CountDownLatch goesOn = new CountDownLatch(1);
      beforeForce =
          () -> {
            isForcing.countDown();
            goesOn.await();
          };
      CompletableFuture<Void> changing = CompletableFuture.runAsync(change);
      isForcing.await();
      beforeForce = () -> {};
      try {
        assertThat(CompletableFuture.runAsync(() -> images.refer(300))).succeedsWithin(SOON);
        assertThat(changing).isNotDone();
      } finally {
        goesOn.countDown();
      }
      assertThat(changing).succeedsWithin(SOON);
    }
    assertThat(files()).isEmpty();
  }

  @Test
  void shouldNotBlockWhoListsWhileFilesAreDeleted() throws Exception {
    ImageStore images = open();
    take(images, 100);
    CountDownLatch isDeleting = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    beforeForce =
        () -> {
          if (images.at(100).isEmpty()) {
            beforeForce = () -> {};
            isDeleting.countDown();
            goesOn.await();
          }
        };
    CompletableFuture<Void> removing = CompletableFuture.runAsync(() -> images.remove(p -> true));
    isDeleting.await();
    try {
      assertThat(CompletableFuture.runAsync(() -> images.complete(200, 9))).succeedsWithin(SOON);
      assertThat(removing).isNotDone();
    } finally {
      goesOn.countDown();
    }
    assertThat(removing).succeedsWithin(SOON);
    assertThat(images.isComplete(200)).isTrue();
  }

  @Test
  void shouldForceTheIndexThoughImagesAreNotForced() {
    List<String> forced = new ArrayList<>();
    ImageStore images =
        ImageStore.open(
            directory,
            (what, action) -> {},
            (what, action) -> {
              forced.add(Path.of(what).getFileName().toString());
              action.run();
            });
    images.refer(100);
    assertThat(forced).containsExactly(directory.getFileName().toString(), "index.tmp", "images");
  }

  @Test
  void shouldRefuseASnapshotBeforeItFreezesIfTheIndexCannotBeWritten() {
    isRefusing.set(true);
    ImageTaker taker = new ImageTaker(open(), counts);
    assertThatThrownBy(() -> taker.begin(machine, 100)).isInstanceOf(LogException.class);
    assertThat(taker.isFrozen()).isFalse();
    machine.freeze().release();
    machine.thaw();
  }

  @Test
  void shouldRemoveWhatAKilledProcessLeft() throws IOException {
    ImageStore images = open();
    take(images, 100);
    images.complete(50, 17);
    Path snapshots = directory.resolve("images/snapshots");
    Files.createDirectory(snapshots.resolve("snapshot-%020d.tmp".formatted(8)));
    Files.createDirectory(snapshots.resolve("snapshot-%020d".formatted(9)));
    assertThat(files()).hasSize(3);
    open();
    assertThat(files()).containsExactly("snapshot-%020d".formatted(0));
  }

  private byte[] head() {
    FrozenState frozen = machine.freeze();
    frozen.release();
    machine.thaw();
    byte[] head = Manifest.headOf(frozen);
    return head;
  }

  private void take(ImageStore images, long position) {
    ImageTaker taker = new ImageTaker(images, counts);
    PendingImage image = taker.begin(machine, position);
    taker.end(true, ImageTaker.END_TIMEOUT);
    assertThat(image.isDone()).isTrue();
    assertThat(image.written().map(Snapshot::sequence)).contains(machine.sequence());
    assertThat(taker.isFrozen()).isFalse();
    assertThat(taker.isBusy()).isFalse();
  }

  private ImageStore open() {
    return ImageStore.open(directory, this::force);
  }

  private void force(String what, Forcer.Action action) throws IOException {
    if (isRefusing.get()) {
      throw new IOException("the disk refuses");
    }
    try {
      beforeForce.run();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    action.run();
  }

  private interface Wait {
    void run() throws InterruptedException;
  }

  private List<String> files() {
    try (var files = Files.list(directory.resolve("images/snapshots"))) {
      return files.map(file -> file.getFileName().toString()).toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
