package io.entroq.cluster.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.cluster.image.ImageStore;
import io.entroq.codec.command.ClaimEncoder;
import io.entroq.codec.message.Slice;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.ThroughInterrupts;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Identity;
import io.entroq.engine.log.Forcer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member's service sends a snapshot over a real channel, and another one starts with it. */
class ServiceSnapshotIT {
  private static final int STREAM = 7;
  private static final long STOP = 4_096;
  private static final long LONGER_THAN_OTHERS_WAIT_NS = TimeUnit.MILLISECONDS.toNanos(1_500);
  private static final String CHANNEL = "aeron:ipc?term-length=64k";

  @TempDir Path directory;

  /** Holds images back before the state is read. */
  private final CountDownLatch reading = new CountDownLatch(1);

  private volatile boolean isRefusing;
  private LoneService lone;
  private LoneService later;
  private MediaDriver driver;
  private Aeron aeron;
  private Image image;
  private ExclusivePublication publication;

  @BeforeEach
  void connect() {
    lone = new LoneService(ImageStore.open(directory, this::force));
    later = new LoneService(ImageStore.open(directory, Forcer.DISK));
    driver =
        MediaDriver.launch(
            new MediaDriver.Context()
                .aeronDirectoryName(directory.resolve("driver").toString())
                .dirDeleteOnStart(true)
                .termBufferSparseFile(true)
                .threadingMode(ThreadingMode.SHARED));
    aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
    Subscription subscription = aeron.addSubscription(CHANNEL, STREAM);
    publication = aeron.addExclusivePublication(CHANNEL, STREAM);
    while (subscription.imageCount() == 0) {
      assertThat(Thread.interrupted()).as("waited too long").isFalse();
      LockSupport.parkNanos(1_000_000);
    }
    image = subscription.imageAtIndex(0);
    lone.startAlone();
    lone.cluster.logPosition = () -> STOP;
  }

  @AfterEach
  void close() {
    reading.countDown();
    lone.service.endImages(false);
    lone.close();
    later.close();
    aeron.close();
    driver.close();
  }

  @Test
  void shouldRestoreStateAndClientHosts() {
    claim(new Identity(7, 7, 1, 1));
    long held = lone.engine.applier().holders().hash(lone.machine());
    assertThat(held).isNotZero();
    reading.countDown();
    lone.service.onTakeSnapshot(publication);
    awaitImage();

    later.start(image);
    StateDigest digest = StateDigest.of(lone.machine());
    assertThat(StateDigest.of(later.machine())).isEqualTo(digest);
    assertThat(later.engine.applier().holders().hash(later.machine())).isEqualTo(held);
    assertThat(later.service.appliedSequence()).isEqualTo(digest.sequence());
    assertThat(lone.reports.held().digests().values()).containsExactly(digest);
    assertThat(later.reports.held().digests().values()).containsExactly(digest);
  }

  @Test
  void shouldApplyCommandsWhileTheImageIsWritten() throws Exception {
    insert("before");
    StateDigest taken = StateDigest.of(lone.machine());
    lone.service.onTakeSnapshot(publication);
    assertThat(lone.service.isWritingImage()).isTrue();
    insert("after");

    reading.countDown();
    awaitImage();
    later.start(image);
    assertThat(StateDigest.of(later.machine())).isEqualTo(taken);
    lone.service.doBackgroundWork(0);
    lone.machine().freeze().release();
    lone.machine().thaw();
  }

  @Test
  void shouldKeepTheMirrorFromFreezingAFrozenState() {
    lone.mirrored.clear();
    lone.service.onTakeSnapshot(publication);
    lone.service.doBackgroundWork(0);
    assertThat(lone.mirrored).isEqualTo(List.of("yieldState", "onSnapshot"));
    reading.countDown();
    awaitImage();
    lone.service.doBackgroundWork(0);
    assertThat(lone.mirrored).endsWith("doWork");
  }

  @Test
  void shouldFailWhileTheStateIsReadForTheSnapshotBefore() {
    lone.service.onTakeSnapshot(publication);
    assertThatThrownBy(() -> lone.service.onTakeSnapshot(publication))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("the image of the one before is still being written");
    reading.countDown();
    awaitImage();
    lone.service.onTakeSnapshot(publication);
    awaitImage();
  }

  @Test
  void shouldWaitForTheImageBeforeOnceTheClusterIsClosed() {
    lone.service.onTakeSnapshot(publication);
    lone.hearClose();
    long startNs = System.nanoTime();
    lone.cluster.idling =
        () -> {
          if (System.nanoTime() - startNs > LONGER_THAN_OTHERS_WAIT_NS) {
            reading.countDown();
          }
        };
    lone.service.onTakeSnapshot(publication);
    assertThat(stop()).isPresent();
  }

  @Test
  void shouldStopWithoutASnapshotIfItsImageFails() {
    lone.hearClose();
    isRefusing = true;
    reading.countDown();
    lone.service.onTakeSnapshot(publication);
    assertThat(stop()).isEmpty();
  }

  @Test
  void shouldStopWithoutASnapshotIfItWasTakenEarlier() {
    lone.hearClose();
    reading.countDown();
    lone.service.onTakeSnapshot(publication);
    lone.cluster.logPosition = () -> STOP + 32;
    assertThat(stop()).isEmpty();
  }

  /** Ends the service where it is. */
  private Optional<StateDigest> stop() {
    StateDigest state = StateDigest.of(lone.machine());
    lone.service.onTerminate(lone.cluster.cluster());
    assertThat(lone.stops).hasSize(1);
    lone.stops.get(0).ifPresent(stopped -> assertThat(stopped).isEqualTo(state));
    return lone.stops.get(0);
  }

  private void insert(String value) throws Exception {
    Modification insert = Modification.insert("inbox", value);
    lone.answer(lone.engine.queue().modifyAsync(insert)).orThrow();
  }

  private void awaitImage() {
    while (lone.service.isWritingImage()) {
      assertThat(Thread.interrupted()).as("waited too long").isFalse();
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void force(String what, Forcer.Action action) throws IOException {
    if (Thread.currentThread().getName().equals("entroq-image")) {
      ThroughInterrupts.await(reading::await);
      if (isRefusing) {
        throw new IOException("the disk refuses");
      }
    }
    action.run();
  }

  private void claim(Identity caller) {
    lone.engine
        .queue()
        .gateway()
        .waitingClaim(
            caller,
            0,
            (buffer, identity) ->
                new ClaimEncoder()
                    .wrap(buffer, 0)
                    .identity(
                        identity.clientHigh(),
                        identity.clientLow(),
                        identity.number(),
                        identity.ackedBelow())
                    .queue(new Slice("inbox".getBytes(StandardCharsets.UTF_8)))
                    .leaseMs(60_000)
                    .waits(true)
                    .length(),
            new Unheard());
    lone.turn();
    assertThat(lone.machine().parkedCount()).isEqualTo(1);
  }

  private static final class Unheard implements Completion {
    @Override
    public void onResult(ResultDecoder result) {}

    @Override
    public void onFailure(EntroQException failure) {}
  }
}
