package io.entroq.console.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.console.user.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserFileTest {
  private static final String HASH = "$2y$12$" + "a".repeat(53);

  @TempDir private Path directory;
  private Path file;
  private final AtomicLong clock = new AtomicLong();

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(directory.resolve("users"), "# people\n\nann:" + HASH + ":admin\n");
  }

  private UserFile open() throws LoginException {
    return new UserFile(file, clock::get);
  }

  @Test
  void shouldFindUsers() throws LoginException {
    UserFile users = open();
    assertThat(users.find("ann")).contains(new UserEntry("ann", HASH, Role.ADMIN));
    assertThat(users.find("bob")).isEmpty();
  }

  @Test
  void shouldReadTheFileAgainWhenItHasChanged() throws IOException, LoginException {
    UserFile users = open();
    Files.writeString(file, "bob:*:operator\n");
    assertThat(users.find("bob")).isEmpty();
    clock.addAndGet(1_000_000_000L);
    assertThat(users.find("bob")).contains(new UserEntry("bob", "*", Role.OPERATOR));
    assertThat(users.find("ann")).isEmpty();
  }

  @Test
  void shouldKeepUsersWhileTheFileIsBroken() throws IOException, LoginException {
    UserFile users = open();
    Files.writeString(file, "broken");
    clock.addAndGet(1_000_000_000L);
    assertThat(users.find("ann")).isPresent();
    Files.delete(file);
    clock.addAndGet(1_000_000_000L);
    assertThat(users.find("ann")).isPresent();
  }

  @Test
  void shouldSayWhatIsWrong() throws IOException {
    refuses("ann", "line 1: expected NAME:HASH:ROLE");
    refuses("#\nann:secret:admin", "line 2: expected a hash of bcrypt");
    refuses("ann:" + HASH + ":king", "expected viewer, operator or admin, got king");
    refuses("ann:*:admin\nann:*:viewer", "line 2: the name is there twice");
    refuses("ann:$2y$30$" + "a".repeat(53) + ":admin", "at most 16");
    refuses(":*:admin", "a name has 1 to 64 characters");
    Files.delete(file);
    assertThatThrownBy(this::open).hasMessageContaining("cannot use the file of users " + file);
  }

  private void refuses(String text, String message) throws IOException {
    Files.writeString(file, text);
    assertThatThrownBy(this::open).isInstanceOf(LoginException.class).hasMessageContaining(message);
  }
}
