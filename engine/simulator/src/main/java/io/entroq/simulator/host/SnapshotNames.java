package io.entroq.simulator.host;

import io.entroq.simulator.disk.SimulatedDisk;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the names of snapshots. */
final class SnapshotNames {
  private static final String SNAPSHOTS = EngineHost.DIRECTORY + "/snapshots/";
  private static final String MANIFEST = "/manifest";
  private static final Pattern FILE =
      Pattern.compile(SNAPSHOTS + "snapshot-(\\d{20})/(?:state|manifest)");

  private SnapshotNames() {}

  /** The record of the newest snapshot; 0 if there is none. */
  static long newest(SimulatedDisk disk) {
    return all(disk).stream().mapToLong(Long::longValue).max().orElse(0);
  }

  /** The records of all snapshots, including those with missing files. */
  static SortedSet<Long> all(SimulatedDisk disk) {
    SortedSet<Long> all = new TreeSet<>();
    for (String path : disk.files(name -> name.startsWith(SNAPSHOTS))) {
      if (FILE.matcher(path).matches()) {
        all.add(sequence(path));
      }
    }
    return all;
  }

  /** The size of the largest snapshot file; 0 if there is none. */
  static long largestBytes(SimulatedDisk disk) {
    return disk.files(name -> FILE.matcher(name).matches()).stream()
        .mapToLong(disk::bytes)
        .max()
        .orElse(0);
  }

  /** The record of the snapshot that a file belongs to; 0 if it belongs to none. */
  static long sequence(String path) {
    Matcher name = FILE.matcher(path);
    return name.matches() ? Long.parseLong(name.group(1)) : 0;
  }

  static boolean isManifest(String path) {
    return path.endsWith(MANIFEST) && sequence(path) > 0;
  }
}
