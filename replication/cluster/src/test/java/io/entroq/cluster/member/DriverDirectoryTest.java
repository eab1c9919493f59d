package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other users of the machine cannot read the members' traffic. */
class DriverDirectoryTest {
  private final Path around = Path.of("/dev/shm/entroq-" + UUID.randomUUID());
  private final Path driver = around.resolve("driver");

  @TempDir Path directory;

  @AfterEach
  void remove() throws IOException {
    Files.deleteIfExists(driver);
    Files.deleteIfExists(around);
  }

  @Test
  void shouldBePrivateToItsOwner() throws IOException {
    DriverDirectory.createParent(driver);

    assertThat(permissions()).isEqualTo("rwx------");
  }

  @Test
  void shouldTakeOverFilesOfAKilledDriver() throws IOException {
    Files.createDirectories(driver);
    Files.setPosixFilePermissions(around, PosixFilePermissions.fromString("rwxr-xr-x"));

    DriverDirectory.createParent(driver);

    assertThat(permissions()).isEqualTo("rwx------");
    assertThat(driver).exists();
  }

  @Test
  void shouldRefuseSymbolicLinks() throws IOException {
    Files.createSymbolicLink(around, directory);

    assertThatThrownBy(() -> DriverDirectory.createParent(driver))
        .isInstanceOf(MemberException.class)
        .hasMessageContaining(around.toString())
        .hasMessageContaining("another user");
  }

  @Test
  void shouldRemoveItsDirectory() throws IOException {
    DriverDirectory.createParent(driver);

    DriverDirectory.removeParent(driver);

    assertThat(Files.exists(around, LinkOption.NOFOLLOW_LINKS)).isFalse();
  }

  @Test
  void shouldKeepRemainingFiles() throws IOException {
    DriverDirectory.createParent(driver);
    Files.createDirectory(driver);

    DriverDirectory.removeParent(driver);

    assertThat(driver).exists();
  }

  @Test
  void shouldNotTouchConfiguredDirectories() throws IOException {
    Path chosen = directory.resolve("chosen").resolve("driver");

    DriverDirectory.createParent(chosen);
    DriverDirectory.removeParent(chosen);

    assertThat(chosen.getParent()).doesNotExist();
  }

  private String permissions() throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(around));
  }
}
