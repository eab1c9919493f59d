package io.entroq.cluster.image;

import io.entroq.engine.log.FileErrors;
import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogException;
import io.entroq.engine.snapshot.IncomingSnapshot;
import io.entroq.engine.snapshot.Manifest;
import io.entroq.engine.snapshot.Snapshot;
import io.entroq.engine.snapshot.SnapshotDamagedException;
import io.entroq.engine.snapshot.SnapshotDirectory;
import io.entroq.engine.snapshot.SnapshotReader;
import io.entroq.engine.snapshot.SnapshotWriter;
import io.entroq.engine.state.FrozenState;
import io.entroq.engine.state.StateLoader;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;

/**
 * The images in a member's directory. Any thread.
 *
 * <pre>
 * DIR/images/index                                    which snapshots have a complete image
 * DIR/images/snapshots/snapshot-SEQ/state, manifest   as in an engine's directory
 * </pre>
 *
 * Positions are those of snapshots in the cluster's log, in bytes.
 */
public final class ImageStore {
  /** In a member's directory. */
  public static final String NAME = "images";

  private static final long NOTHING = -1;

  private final Path directory;
  private final Forcer indexForcer;
  private final SnapshotDirectory snapshots;

  /** Held while files are deleted, and when an image begins or ends. */
  private final Object files = new Object();

  /** Replaced under this object's lock, and read without: that waits for the disk. */
  private volatile ImageIndex index;

  private long changes;

  /** The sequence of the image that is being written, which is not listed yet. */
  private long writing = NOTHING;

  private ImageStore(Path directory, Forcer imageForcer, Forcer indexForcer, ImageIndex index) {
    this.directory = directory;
    this.indexForcer = indexForcer;
    this.index = index;
    snapshots = new SnapshotDirectory(directory, imageForcer);
  }

  /** Like {@link #open(Path, Forcer, Forcer)}, with one forcer for everything. */
  public static ImageStore open(Path memberDirectory, Forcer forcer) {
    return open(memberDirectory, forcer, forcer);
  }

  /**
   * Opens the images of a member whose directory is locked, and removes unfinished ones.
   *
   * @param imageForcer of the images' files
   * @param indexForcer of the index: a member with a bad one does not start
   * @throws LogException if the index is damaged, or the directory cannot be read
   */
  public static ImageStore open(Path memberDirectory, Forcer imageForcer, Forcer indexForcer) {
    ImageStore store = read(memberDirectory, imageForcer, indexForcer);
    store.snapshots.removeUnfinished();
    store.removeUnlisted();
    return store;
  }

  /**
   * Opens images without any change.
   *
   * @throws LogException if the index is damaged, or the directory cannot be read
   */
  public static ImageStore read(Path memberDirectory, Forcer forcer) {
    return read(memberDirectory, forcer, forcer);
  }

  private static ImageStore read(Path memberDirectory, Forcer imageForcer, Forcer indexForcer) {
    Path directory = memberDirectory.resolve(NAME);
    try {
      return new ImageStore(directory, imageForcer, indexForcer, ImageIndex.read(directory));
    } catch (IOException e) {
      throw failed(directory, e);
    }
  }

  /** Whether the snapshot at a position can be started from: it is whole, or its image is. */
  public boolean isComplete(long position) {
    return index.isComplete(position);
  }

  /** Whether the snapshot at a position is a reference to an image. */
  public boolean isReference(long position) {
    return position >= index.first();
  }

  /** Changes with each image that becomes complete. */
  public synchronized long changes() {
    return changes;
  }

  /** Whether a snapshot elsewhere shares the files of a complete image. */
  public boolean isShared(Snapshot other) {
    Optional<Snapshot> image =
        isListed(other.sequence()) ? snapshots.find(other.sequence()) : Optional.empty();
    try {
      return image.isPresent()
          && Files.isSameFile(image.get().state(), other.state())
          && Files.isSameFile(image.get().manifest(), other.manifest());
    } catch (IOException e) {
      return false;
    }
  }

  private boolean isListed(long sequence) {
    return index.sequences().containsValue(sequence);
  }

  /** The complete image of the snapshot at a position. */
  public Optional<Snapshot> at(long position) {
    return Optional.ofNullable(index.sequences().get(position)).flatMap(snapshots::find);
  }

  /**
   * Reads and verifies all of the complete image of the snapshot at a position.
   *
   * @return empty if there is none
   * @throws SnapshotDamagedException if it is damaged
   */
  public Optional<Manifest> verify(long position) {
    return at(position).map(image -> snapshots.reader(image).verify());
  }

  /**
   * Notes that the snapshot at this position is a reference. Forces a small file the first time;
   * after that, it does not block.
   *
   * @throws LogException if that fails
   */
  public void refer(long position) {
    if (!isReference(position)) {
      replace(old -> old.withFirst(position));
    }
  }

  /**
   * Writes the image of the snapshot at a position, unless there is an equal one. Blocks; one image
   * at a time.
   *
   * @throws LogException if it cannot be written or was abandoned
   */
  Manifest write(FrozenState state, long position, BooleanSupplier isAbandoned) {
    long sequence = state.sequence();
    begin(sequence);
    try {
      Optional<Snapshot> same = snapshots.find(sequence);
      Manifest manifest;
      if (same.isPresent() && isOf(same.get(), Manifest.headOf(state))) {
        state.release();
        manifest = snapshots.reader(same.get()).manifest();
      } else {
        // One of another state may be left from before a divergence.
        same.ifPresent(snapshots::distrust);
        manifest =
            new SnapshotWriter(snapshots, LogConfig.RESERVE_BYTES_DEFAULT)
                .write(state, ignored -> {}, isAbandoned, ignored -> {});
      }
      complete(position, sequence);
      return manifest;
    } finally {
      begin(NOTHING);
    }
  }

  private boolean isOf(Snapshot snapshot, byte[] head) {
    Manifest manifest = snapshots.reader(snapshot).manifestIfGood();
    return manifest != null && Arrays.equals(manifest.head(), head);
  }

  private void begin(long sequence) {
    synchronized (files) {
      writing = sequence;
    }
  }

  /** Lists an image whose files are on disk. */
  synchronized void complete(long position, long sequence) {
    replace(old -> old.with(position, sequence));
    changes++;
  }

  /**
   * Loads the image that a snapshot refers to.
   *
   * @param head what the snapshot says of it, see {@link Manifest#head}
   * @throws SnapshotDamagedException if it is missing, damaged, or of another state
   * @throws io.entroq.engine.memory.ImageException if its content is wrong
   */
  public StateMachine load(long sequence, byte[] head) {
    Snapshot image = snapshots.find(sequence).orElseThrow(() -> missing(sequence));
    SnapshotReader reader = snapshots.reader(image);
    if (!Arrays.equals(reader.manifest().head(), head)) {
      throw new SnapshotDamagedException(
          image.manifest(), 0, "it is of another state than the cluster's snapshot");
    }
    StateLoader loader = new StateLoader(StateMachineConfig.DEFAULT);
    try {
      reader.read(loader);
      return loader.finish();
    } catch (Throwable t) {
      loader.close();
      throw t;
    }
  }

  /**
   * Begins to receive an image, or goes on with one that an earlier process has begun. An image of
   * the same record that is here already is replaced.
   *
   * @param manifest the file
   * @throws SnapshotDamagedException if the manifest is damaged
   * @throws LogException if the disk refuses
   */
  IncomingSnapshot receive(byte[] manifest) {
    createDirectory();
    snapshots.newestFirst().forEach(snapshots::distrust);
    return snapshots.receive(manifest);
  }

  /**
   * Forgets all images of an unfinished copy, but not what has been received.
   *
   * @throws LogException if that fails
   */
  public static void forget(Path memberDirectory) throws IOException {
    ImageIndex.delete(memberDirectory.resolve(NAME));
  }

  /** Bytes of the image of a state; 0 if there is none. */
  public long bytes(long sequence) {
    return snapshots.find(sequence).map(image -> image.state().toFile().length()).orElse(0L);
  }

  private SnapshotDamagedException missing(long sequence) {
    return new SnapshotDamagedException(
        directory, 0, "the image of the state at record %,d is missing".formatted(sequence));
  }

  /**
   * Deletes the images of snapshots at some positions.
   *
   * @throws LogException if that fails
   */
  public void remove(LongPredicate isDropped) {
    if (index.sequences().keySet().stream().anyMatch(isDropped::test)) {
      replace(old -> old.without(isDropped));
      removeUnlisted();
    }
  }

  private void removeUnlisted() {
    synchronized (files) {
      snapshots.keepOnly(sequence -> sequence == writing || isListed(sequence));
    }
  }

  private void createDirectory() {
    try {
      if (!Files.isDirectory(directory)) {
        Files.createDirectory(directory);
        Path member = directory.getParent();
        indexForcer.force(member.toString(), () -> LogDirectory.force(member));
      }
    } catch (IOException e) {
      throw failed(directory, e);
    }
  }

  private synchronized void replace(UnaryOperator<ImageIndex> change) {
    createDirectory();
    try {
      ImageIndex next = change.apply(index);
      next.write(directory, indexForcer);
      index = next;
    } catch (IOException e) {
      throw failed(directory, e);
    }
  }

  private static LogException failed(Path directory, IOException e) {
    return LogException.error(
        "Cannot read or replace the index in %s: %s"
            .formatted(directory.toAbsolutePath(), FileErrors.describe(e)),
        e);
  }
}
