package io.entroq.server.serving;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.cluster.session.MemberSecret;
import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file with the secret of members. */
public final class SecretFile {
  private SecretFile() {}

  /**
   * Reads it. White space around the secret is not of it, as editors end a file with some.
   *
   * @param said how whoever has named the file has named the setting
   * @throws CommandException if it cannot be read, or has no secret
   */
  public static MemberSecret read(String said, Path file) {
    try {
      return MemberSecret.of(Files.readString(file).strip().getBytes(UTF_8));
    } catch (IOException e) {
      throw new CommandException("%s: cannot read %s: %s".formatted(said, file, e), e);
    } catch (IllegalArgumentException e) {
      throw new CommandException("%s: %s: %s".formatted(said, file, e.getMessage()), e);
    }
  }
}
