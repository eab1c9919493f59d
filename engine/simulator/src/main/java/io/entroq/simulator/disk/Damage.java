package io.entroq.simulator.disk;

import io.entroq.simulator.virtual.SeededRandom;
import java.util.Locale;

/**
 * Damage to the disk. It hits data that was on the disk before, forced or not.
 *
 * @param path the damaged file
 * @param what what happened to it
 */
public record Damage(String path, String what) {
  static Damage flip(DirectoryTree tree, String path, SeededRandom random) {
    FileNode file = forced(tree, path);
    int at = random.below(file.end());
    int bit = random.below(Byte.SIZE);
    file.flip(at, bit);
    return new Damage(path, String.format(Locale.ROOT, "bit %d of byte %d is flipped", bit, at));
  }

  static Damage truncate(DirectoryTree tree, String path, SeededRandom random) {
    FileNode file = forced(tree, path);
    int left = random.below(file.end());
    long before = file.size();
    file.truncate(left);
    file.force();
    return new Damage(path, String.format(Locale.ROOT, "%d of %d bytes are left", left, before));
  }

  static Damage remove(DirectoryTree tree, String path) {
    forced(tree, path);
    tree.remove(path);
    return new Damage(path, "it is gone");
  }

  private static FileNode forced(DirectoryTree tree, String path) {
    FileNode file = (FileNode) tree.find(path);
    file.force();
    tree.forceNames(path);
    return file;
  }

  @Override
  public String toString() {
    return path + ": " + what;
  }
}
