package io.entroq.simulator.disk;

import io.entroq.simulator.virtual.Chance;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Something on the disk is not as it was. What is damaged was on the disk before, whether anybody
 * had forced it or not.
 */
public final class Damage {
  private final String path;
  private final String what;
  private final BooleanSupplier mending;
  private boolean isMended;

  private Damage(String path, String what, BooleanSupplier mending) {
    this.path = path;
    this.what = what;
    this.mending = mending;
  }

  static Damage flip(Tree tree, String path, Chance chance) {
    FileNode file = forced(tree, path);
    int at = chance.below(file.end());
    int bit = chance.below(Byte.SIZE);
    file.flip(at, bit);
    byte flipped = file.data()[at];
    return new Damage(
        path,
        "bit %d of byte %d is flipped".formatted(bit, at),
        () -> {
          boolean isThere =
              tree.find(path) == file && at < file.size() && file.data()[at] == flipped;
          if (isThere) {
            file.flip(at, bit);
          }
          return isThere;
        });
  }

  static Damage truncate(Tree tree, String path, Chance chance) {
    FileNode file = forced(tree, path);
    int left = chance.below(file.end());
    byte[] bytes = file.bytes();
    file.truncate(left);
    file.force();
    return new Damage(
        path,
        "%d of %d bytes are left".formatted(left, bytes.length),
        () -> {
          boolean isThere =
              tree.find(path) == file && Arrays.equals(file.bytes(), 0, left, bytes, 0, left);
          if (isThere && file.size() == left) {
            tree.put(path, bytes);
            return true;
          }
          return false;
        });
  }

  static Damage remove(Tree tree, String path) {
    byte[] bytes = forced(tree, path).bytes();
    tree.remove(path);
    return new Damage(
        path,
        "it is gone",
        () -> {
          boolean isMissing = tree.find(path) == null && tree.hasParent(path);
          if (isMissing) {
            tree.put(path, bytes);
          }
          return isMissing;
        });
  }

  private static FileNode forced(Tree tree, String path) {
    FileNode file = (FileNode) tree.find(path);
    file.force();
    tree.forceNames(path);
    return file;
  }

  /** The file that is damaged. */
  public String path() {
    return path;
  }

  /**
   * Puts the right bytes there again, on the disk. Not while a process lives.
   *
   * @return false if what was damaged is not there any more, or not as it was left
   */
  public boolean mend() {
    if (isMended) {
      return false;
    }
    isMended = mending.getAsBoolean();
    return isMended;
  }

  @Override
  public String toString() {
    return path + ": " + what;
  }
}
