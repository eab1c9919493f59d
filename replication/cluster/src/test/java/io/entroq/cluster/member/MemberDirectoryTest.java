package io.entroq.cluster.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.engine.log.LogException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which member may open a directory. */
class MemberDirectoryTest {
  private static final List<MemberAddress> MEMBERS =
      List.of(
          MemberAddress.of("127.0.0.1", 9_000),
          MemberAddress.of("127.0.0.1", 9_010),
          MemberAddress.of("127.0.0.1", 9_020));

  @TempDir Path directory;

  @Test
  void shouldRefuseEmptyDirectory() {
    assertThatThrownBy(() -> MemberDirectory.open(config(0).build()))
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("There is no member in");
    assertThatThrownBy(
            () ->
                MemberDirectory.open(
                    MemberConfig.of(0, MEMBERS, directory.resolve("missing")).build()))
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("There is no member in");
  }

  @Test
  void shouldOpenWithoutBootstrapOnceThereIsOne() {
    bootstrap();
    MemberDirectory.open(config(0).build()).close();
  }

  @Test
  void shouldRefuseDirectoryOfAnotherMember() {
    bootstrap();
    assertThatThrownBy(() -> MemberDirectory.open(config(1).build()))
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("is the directory of member 0 of 3, not of member 1 of 3");
  }

  @Test
  void shouldRefuseDirectoryInUse() {
    try (MemberDirectory taken = MemberDirectory.open(config(0).bootstrap(true).build())) {
      assertThat(taken.cluster()).hasParent(directory.toFile());
      assertThatThrownBy(() -> MemberDirectory.open(config(0).build()))
          .isInstanceOf(LogException.class)
          .hasMessageContaining("is in use");
    }
  }

  @Test
  void shouldRefuseALogWithoutMemberFile() throws Exception {
    Files.createDirectories(directory.resolve("archive"));
    assertThatThrownBy(() -> MemberDirectory.open(config(0).bootstrap(true).build()))
        .isInstanceOf(MemberException.class)
        .hasMessageContaining("but not the file member");
  }

  @Test
  void shouldRefuseAnotherCluster() {
    try (MemberDirectory opened = MemberDirectory.open(config(0).bootstrap(true).build())) {
      opened.noteClusterId(1, 2);
      opened.noteClusterId(1, 2);
    }
    try (MemberDirectory opened = MemberDirectory.open(config(0).build())) {
      assertThatThrownBy(() -> opened.noteClusterId(1, 3))
          .isInstanceOf(MemberException.class)
          .hasMessageContaining("belongs to cluster 00000000000000010000000000000002");
    }
  }

  @Test
  void shouldDetectAnyDamageToItsFile() throws Exception {
    bootstrap();
    Path file = directory.resolve(MemberFile.NAME);
    byte[] good = Files.readAllBytes(file);
    for (int i = 0; i < good.length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 1;
      Files.write(file, bad);
      assertThatThrownBy(() -> MemberDirectory.open(config(0).build()))
          .as("byte %d", i)
          .isInstanceOf(MemberException.class)
          .hasMessageContaining("is damaged");
    }
    Files.write(file, new byte[2_000]);
    assertThatThrownBy(() -> MemberDirectory.open(config(0).build()))
        .isInstanceOf(MemberException.class);
  }

  @Test
  void shouldRemoveStaleMarks() throws Exception {
    bootstrap();
    Path cluster = Files.createDirectories(directory.resolve("cluster"));
    Path archive = Files.createDirectories(directory.resolve("archive"));
    List<Path> marks =
        List.of(
            cluster.resolve("cluster-mark.dat"),
            cluster.resolve("cluster-mark-service-0.dat"),
            archive.resolve("archive-mark.dat"));
    for (Path mark : marks) {
      Files.write(mark, new byte[1]);
    }
    Path log = Files.write(cluster.resolve("recording.log"), new byte[1]);
    MemberDirectory.open(config(0).build()).close();
    assertThat(marks).allSatisfy(mark -> assertThat(mark).doesNotExist());
    assertThat(log).exists();
  }

  private void bootstrap() {
    MemberDirectory.open(config(0).bootstrap(true).build()).close();
  }

  private MemberConfig.Builder config(int id) {
    return MemberConfig.of(id, MEMBERS, directory);
  }
}
