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
   * Reads the secret, without white space around it, which editors add.
   *
   * @param setting the setting that names the file, for messages
   * @throws CommandException if it cannot be read, or has no valid secret
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
