package io.entroq.server.serving;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.cluster.session.MemberSecret;
import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file with the secret that the members of a cluster share. */
public final class SecretFile {
  private SecretFile() {}

  /**
   * Reads the secret. Surrounding white space, which editors add, is removed.
   *
   * @param setting the setting that names the file, for messages
   * @throws CommandException if it cannot be read, or contains no valid secret
   */
  public static MemberSecret read(String setting, Path file) {
    try {
      return MemberSecret.of(Files.readString(file).strip().getBytes(UTF_8));
    } catch (IOException e) {
      throw new CommandException("%s: cannot read %s: %s".formatted(setting, file, e), e);
    } catch (IllegalArgumentException e) {
      throw new CommandException("%s: %s: %s".formatted(setting, file, e.getMessage()), e);
    }
  }
}
