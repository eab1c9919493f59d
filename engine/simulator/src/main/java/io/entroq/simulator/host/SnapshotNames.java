package io.entroq.simulator.host;

import io.entroq.simulator.disk.SimulatedDisk;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the names of snapshots tell. */
final class SnapshotNames {
  private static final Pattern MANIFEST =
      Pattern.compile(EngineHost.DIRECTORY + "/snapshots/snapshot-(\\d{20})/manifest");

  private SnapshotNames() {}

  /** The record of the newest snapshot; 0 if there is none. */
  static long newest(SimulatedDisk disk) {
    long newest = 0;
    for (String path : disk.files(name -> true)) {
      Matcher name = MANIFEST.matcher(path);
      if (name.matches()) {
        newest = Math.max(newest, Long.parseLong(name.group(1)));
      }
    }
    return newest;
  }

  static boolean isManifest(String path) {
    return MANIFEST.matcher(path).matches();
  }
}
