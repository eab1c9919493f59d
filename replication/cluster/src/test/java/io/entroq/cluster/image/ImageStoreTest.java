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
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which images count, on a disk that fails and after a kill at any point. */
class ImageStoreTest {
  @TempDir Path directory;

  private final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);
  private final AtomicBoolean isRefusing = new AtomicBoolean();
  private final CountingListener counts = new CountingListener();

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
    action.run();
  }

  private List<String> files() {
    try (var files = Files.list(directory.resolve("images/snapshots"))) {
      return files.map(file -> file.getFileName().toString()).toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
