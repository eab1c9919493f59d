package io.entroq.cluster.image;

import io.entroq.api.EntroQException;
import io.entroq.engine.backup.BackupProgress;
import io.entroq.engine.log.LogException;
import io.entroq.engine.snapshot.IncomingSnapshot;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Copies the image of a snapshot from other members. After a lost connection it goes on where it
 * was, also in a later process; every byte is verified. One use, one thread; blocks.
 */
public final class ImageCopy implements AutoCloseable {
  private static final long PAUSE_NS = Duration.ofMillis(200).toNanos();

  private final ImageStore store;
  private final List<ImageSource> sources;
  private final BackupProgress progress;
  private final long stallNsMax;
  private long arrivedNs = System.nanoTime();

  /** Null until a member has sent its manifest. */
  private IncomingSnapshot incoming;

  /** The manifest of {@link #incoming}. */
  private byte[] begun;

  /**
   * @param store of the new member
   * @param sources in order of preference
   * @param stallMax the copy fails if nothing arrives for this time
   */
  public ImageCopy(
      ImageStore store, List<ImageSource> sources, BackupProgress progress, Duration stallMax) {
    this.store = store;
    this.sources = sources;
    this.progress = progress;
    this.stallNsMax = stallMax.toNanos();
  }

  /**
   * Copies the image of the snapshot at a position, unless the snapshot holds the state itself.
   *
   * @throws LogException if no member has the image, or the disk refuses
   */
  public void run(long position) {
    List<ImageSource> open = new ArrayList<>(sources);
    String why = "no member was given to copy it from";
    while (!open.isEmpty()) {
      ImageSource source = open.remove(0);
      long before = arrivedNs;
      try {
        copy(source, position);
        return;
      } catch (EntroQException.Unavailable e) {
        // It is being written there, or the connection was lost.
        why = e.getMessage();
        // The same member again if it has sent something: others' images differ in their bytes.
        open.add(arrivedNs == before ? open.size() : 0, source);
        LockSupport.parkNanos(PAUSE_NS);
      } catch (EntroQException e) {
        why = e.getMessage();
      } catch (SnapshotDamagedException e) {
        // It has been removed; another member's may be good.
        why = e.trouble();
        close();
      }
      if (System.nanoTime() - arrivedNs > stallNsMax) {
        break;
      }
    }
    throw LogException.error(
        "The image of the snapshot at position %,d was not copied: %s".formatted(position, why));
  }

  private void copy(ImageSource source, long position) {
    while (true) {
      long offset = incoming == null ? 0 : incoming.length();
      Optional<ImageSource.Transfer> opened = source.open(position, offset);
      if (opened.isEmpty()) {
        return;
      }
      try (ImageSource.Transfer transfer = opened.get()) {
        beginIfOther(transfer.manifest());
        if (incoming.length() == offset) {
          receive(transfer);
          store.refer(position);
          store.complete(position, incoming.finish().sequence());
          return;
        }
        // Another process has copied part of it, or this is another image of the same state.
      }
    }
  }

  private void beginIfOther(byte[] manifest) {
    if (!Arrays.equals(manifest, begun)) {
      close();
      incoming = store.receive(manifest);
      begun = manifest;
    }
  }

  private void receive(ImageSource.Transfer transfer) {
    long total = incoming.manifest().stateBytes();
    for (Optional<ByteBuffer> next = transfer.next(); next.isPresent(); next = transfer.next()) {
      incoming.write(next.get());
      arrivedNs = System.nanoTime();
      progress.at("copying image", incoming.length(), total);
    }
    progress.at("verifying image", incoming.length(), total);
  }

  @Override
  public void close() {
    if (incoming != null) {
      incoming.close();
      incoming = null;
      begun = null;
    }
  }
}
