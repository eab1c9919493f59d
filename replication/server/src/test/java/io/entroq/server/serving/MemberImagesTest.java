package io.entroq.server.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.cluster.image.ImageListener;
import io.entroq.cluster.image.ImageStore;
import io.entroq.cluster.image.ImageTaker;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.service.translation.RefusedException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who copies an image is told whether to come again. */
class MemberImagesTest {
  private static final long POSITION = 100;

  @TempDir Path directory;

  @Test
  void shouldTellAnImageThatIsWrittenFromOneThatIsMissing() {
    ImageStore store = ImageStore.open(directory, Forcer.DISK);
    store.refer(POSITION);
    assertThatThrownBy(() -> new MemberImages(() -> store, () -> true).at(POSITION))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("is being written");
    assertThatThrownBy(() -> new MemberImages(() -> store, () -> false).at(POSITION))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("this member has no image");
  }

  /** Otherwise it would be given up, although the image is there. */
  @Test
  void shouldFindAnImageThatIsCompleteWhenItIsNoLongerWritten() {
    ImageStore store = ImageStore.open(directory, Forcer.DISK);
    store.refer(POSITION);
    MemberImages images =
        new MemberImages(
            () -> store,
            () -> {
              complete(store);
              return false;
            });
    assertThat(images.at(POSITION)).isPresent();
  }

  private static void complete(ImageStore store) {
    try (StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT)) {
      ImageTaker taker = new ImageTaker(store, new NoListener());
      var unused = taker.begin(machine, POSITION);
      taker.end(true, ImageTaker.END_TIMEOUT);
    }
  }

  private static final class NoListener implements ImageListener {
    @Override
    public void onBegin() {}

    @Override
    public void onWritten(Manifest manifest, long tookNs) {}

    @Override
    public void onFailed() {}
  }
}
