package io.entroq.simulator.host;

import static io.entroq.simulator.check.Broken.assertBroken;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.disk.DiskProcess;
import io.entroq.simulator.disk.SimulatedDisk;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What damage excuses, and for how long. */
class IncidentTest {
  private static final long OLDER = 100;
  private static final long NEWER = 200;
  private static final long LAST = 300;

  private final SimulatedDisk disk = new SimulatedDisk();
  private final SnapshotWatch snapshots = new SnapshotWatch(disk);
  private final LogProgress progress = new LogProgress(disk);
  private Incident incident;

  @BeforeEach
  void begin() {
    progress.onFound(LAST);
    incident = begun();
    write(OLDER);
    write(NEWER);
  }

  private void write(long snapshot) {
    disk.write(file(snapshot), new byte[] {1});
  }

  private Incident begun() {
    return new Incident(disk, snapshots, progress, false);
  }

  private static String file(long snapshot) {
    return EngineHost.DIRECTORY + "/snapshots/snapshot-%020d/state".formatted(snapshot);
  }

  private void spoil(long snapshot) {
    Incident.Backup before = Incident.Backup.of(disk, snapshots, progress);
    disk.write(file(snapshot), new byte[] {0});
    snapshots.onDamage(file(snapshot));
    incident.onDamage(before, false);
  }

  private void breakPromise() {
    incident.onBrokenPromise(Incident.Backup.of(disk, snapshots, progress), OLDER);
  }

  private void open(long used) {
    snapshots.onOpening();
    snapshots.onOpened(used, LAST);
    incident = begun();
  }

  @Test
  void shouldNotAcceptThatAGoodSnapshotIsPassedOver() {
    assertBroken(Invariant.GOOD_SNAPSHOT_USED, () -> open(OLDER));
  }

  @Test
  void shouldNotAcceptALogThatEndsBeforeASnapshot() {
    snapshots.onOpening();

    assertBroken(Invariant.DAMAGE_NEVER_SERVED, () -> snapshots.onOpened(NEWER, NEWER - 1));
  }

  @Test
  void shouldExcuseWhoPassesOverADamagedSnapshot() {
    spoil(NEWER);

    open(OLDER);
  }

  @Test
  void shouldExcuseNothingMoreOnceALieIsUndone() {
    breakPromise();
    assertThat(incident.mayBeRefused()).isTrue();
    incident.requireFound(OLDER);

    incident.undo();

    assertThat(incident.mayBeRefused()).isFalse();
    assertThat(snapshots.isUnsure()).isFalse();
    assertBroken(Invariant.OPEN_FINDS_END, () -> incident.requireFound(LAST - 1));
    assertBroken(Invariant.GOOD_SNAPSHOT_USED, () -> open(OLDER));
  }

  @Test
  void shouldExcuseNothingMoreOnceTheLogIsWholeAgain() {
    Incident.Backup before = Incident.Backup.of(disk, snapshots, progress);
    snapshots.onLogDamage(LAST);
    snapshots.onOpening();
    failARead();
    assertThat(snapshots.isReadFatal()).isTrue();
    incident.onDamage(before, true);

    incident.undo();

    assertThat(snapshots.isReadFatal()).isFalse();
  }

  private void failARead() {
    disk.faults().failReads(path -> true, 1);
    DiskProcess reader = disk.startProcess();
    assertThatThrownBy(() -> Files.readAllBytes(reader.path(file(NEWER))));
    reader.die();
  }

  @Test
  void shouldExcuseWhatWasDamagedBeforeAndIsStillThere() {
    spoil(NEWER);
    open(OLDER);
    breakPromise();

    incident.undo();

    open(OLDER);
    assertThat(snapshots.isAnyDamaged()).isTrue();
  }

  @Test
  void shouldNotExcuseASnapshotInThePlaceOfADamagedOneThatIsGone() {
    spoil(NEWER);
    disk.restore(new SimulatedDisk().image());
    write(OLDER);
    open(OLDER);

    write(NEWER);

    assertBroken(Invariant.GOOD_SNAPSHOT_USED, () -> open(OLDER));
  }

  @Test
  void shouldWantARefusalWhereADamagedDirectoryHasLostRecords() {
    write(LAST);
    spoil(OLDER);

    assertThat(incident.mayBeRefused()).isTrue();
    assertBroken(Invariant.DAMAGE_NEVER_SERVED, () -> incident.requireFound(NEWER));
  }
}
