package io.entroq.simulator.disk;

import static io.entroq.simulator.disk.SimulatedFileSystemTest.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProcessDeathTest {
  private final SimulatedDisk disk = new SimulatedDisk();
  private final DiskProcess process = disk.startProcess();
  private final Path file = process.path("/file");
  private FileChannel channel;

  @BeforeEach
  void write() throws IOException {
    channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    channel.write(bytes("0123456789"));
  }

  @Test
  void shouldLeaveWhatWasWrittenWhenAProcessDies() throws IOException {
    process.die();

    assertThat(process.isAlive()).isFalse();
    assertThat(Files.readString(disk.startProcess().path("/file"))).isEqualTo("0123456789");
  }

  @Test
  void shouldDoNothingForAProcessWhenItIsDead() throws IOException {
    OutputStream stream = Files.newOutputStream(process.path("/other"));
    FileLock lock = channel.tryLock();
    Path link = process.path("/moved");
    process.die();

    List<ThrowingCallable> calls =
        List.of(
            () -> channel.write(bytes("a"), 0),
            () -> channel.truncate(0),
            () -> channel.force(true),
            () -> channel.size(),
            () -> channel.tryLock(),
            () -> stream.write(1),
            () -> Files.exists(file),
            () -> Files.delete(file),
            () -> Files.move(file, link, StandardCopyOption.ATOMIC_MOVE),
            () -> Files.createDirectory(link),
            () -> Files.readString(file),
            () -> Files.newDirectoryStream(process.path("/")),
            () -> file.toRealPath());
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call).isInstanceOf(SimulatedDeath.class);
    }
    assertThat(lock.isValid()).isFalse();
    channel.close();
    assertThat(disk.files(path -> true)).containsExactly("/file", "/other");
    assertThat(disk.read("/file")).hasSize(10);
  }

  @Test
  void shouldFreeItsLocksWhenAProcessDies() throws IOException {
    channel.tryLock();
    FileChannel other =
        FileChannel.open(disk.startProcess().path("/file"), StandardOpenOption.WRITE);
    assertThat(other.tryLock()).isNull();

    process.die();

    FileLock lock = other.tryLock();
    assertThat(lock).isNotNull();
    // The dead process's open files do not affect the living one.
    channel.close();
    assertThat(lock.isValid()).isTrue();
  }

  @Test
  void shouldHaveDoneNothingWhenItDiesBeforeACall() {
    disk.faults().dieIn(1, false);

    assertThatThrownBy(() -> channel.write(bytes("abcd"))).isInstanceOf(SimulatedDeath.class);

    assertThat(process.isAlive()).isFalse();
    assertThat(disk.faults().deaths()).isOne();
    assertThat(disk.read("/file")).hasSize(10);
  }

  @Test
  void shouldHaveWrittenHalfWhenItDiesInTheMiddleOfACall() {
    disk.faults().dieIn(1, true);

    assertThatThrownBy(() -> channel.write(bytes("abcd"))).isInstanceOf(SimulatedDeath.class);

    assertThat(disk.read("/file")).asString().isEqualTo("0123456789ab");
  }

  @Test
  void shouldHaveMovedWhenItDiesInTheMiddleOfAMove() {
    disk.faults().dieIn(1, true);

    assertThatThrownBy(
            () -> Files.move(file, process.path("/moved"), StandardCopyOption.ATOMIC_MOVE))
        .isInstanceOf(SimulatedDeath.class);

    assertThat(disk.files(path -> true)).containsExactly("/moved");
  }

  @Test
  void shouldDieAtTheCallThatWasNamedWhenThereAreOthersBefore() throws IOException {
    disk.faults().dieIn(3, false);
    channel.write(bytes("a"));
    channel.write(bytes("b"));

    assertThatThrownBy(() -> channel.force(false)).isInstanceOf(SimulatedDeath.class);
  }

  @Test
  void shouldNotDieWhenThatWasTakenBack() throws IOException {
    disk.faults().dieIn(1, false);
    disk.faults().disarm();

    channel.write(bytes("a"));

    assertThat(disk.faults().deaths()).isZero();
  }
}
