package io.entroq.cluster.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.cluster.image.CountingListener;
import io.entroq.cluster.image.ImageStore;
import io.entroq.cluster.image.ImageTaker;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.state.StateMachine;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the mirror writes the state itself. */
class MirrorSnapshotsTest {
  @TempDir Path directory;

  @Test
  void shouldWaitForTheImageThatTakesThePlaceOfAnAbandonedSnapshot() {
    try (StateMachine machine = Mirrored.newMachine()) {
      MirrorSnapshots snapshots = new MirrorSnapshots(machine, null);
      MirrorSnapshot abandoned = snapshots.freezeForRestart();
      snapshots.yieldState();
      assertThat(abandoned.wasAbandoned()).isTrue();
      CountDownLatch mayForce = new CountDownLatch(1);
      ImageTaker taker = new ImageTaker(heldUp(mayForce), new CountingListener());
      snapshots.request(taker.begin(machine, 100));
      try {
        assertThat(snapshots.finish()).isTrue();
        assertThat(snapshots.begin(null)).isFalse();
        assertThat(snapshots.isBusy()).isFalse();
      } finally {
        mayForce.countDown();
        taker.end(true, ImageTaker.END_TIMEOUT);
      }
    }
  }

  private ImageStore heldUp(CountDownLatch mayForce) {
    Forcer forcer =
        (what, action) -> {
          try {
            mayForce.await();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          action.run();
        };
    return ImageStore.open(directory, forcer, Forcer.DISK);
  }
}
