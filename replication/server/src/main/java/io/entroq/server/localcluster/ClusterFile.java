package io.entroq.server.localcluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.engine.log.Forcer;
import io.entroq.engine.log.SmallFile;
import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text file in the directory of a local cluster that lets the next start use the same ports.
 *
 * @param members ports of the members, by member id
 * @param hasBeenReady whether all members have been ready at the same time once; since then, none
 *     may start with an empty directory
 */
record ClusterFile(List<MemberPorts> members, boolean hasBeenReady) {
  static final String NAME = "cluster";

  private static final String HEADER = "entroq-cluster 1";
  private static final String READY_LINE = "begun";
  private static final int BYTES_MAX = 4_096;
  private static final Pattern MEMBER =
      Pattern.compile("member (\\d) grpc (\\d{1,5}) http (\\d{1,5}) members (\\d{1,5})");

  ClusterFile {
    members = List.copyOf(members);
  }

  ClusterFile withBeenReady() {
    return new ClusterFile(members, true);
  }

  /**
   * Reads the file; empty if there is none.
   *
   * @throws CommandException if it cannot be read
   */
  static Optional<ClusterFile> read(Path directory) {
    Path file = directory.resolve(NAME);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      if (Files.size(file) > BYTES_MAX) {
        throw damaged(file);
      }
      return Optional.of(parse(file, new String(Files.readAllBytes(file), UTF_8).lines().toList()));
    } catch (IOException e) {
      throw new CommandException("cannot read " + file + ": " + e, e);
    }
  }

  private static ClusterFile parse(Path file, List<String> lines) {
    if (lines.isEmpty() || !lines.get(0).equals(HEADER)) {
      throw damaged(file);
    }
    List<MemberPorts> members = new ArrayList<>();
    boolean hasBeenReady = lines.get(lines.size() - 1).equals(READY_LINE);
    for (String line : lines.subList(1, lines.size() - (hasBeenReady ? 1 : 0))) {
      Matcher member = MEMBER.matcher(line);
      if (!member.matches() || Integer.parseInt(member.group(1)) != members.size()) {
        throw damaged(file);
      }
      members.add(
          new MemberPorts(
              members.size(),
              Integer.parseInt(member.group(2)),
              Integer.parseInt(member.group(3)),
              Integer.parseInt(member.group(4))));
    }
    if (members.isEmpty()) {
      throw damaged(file);
    }
    return new ClusterFile(members, hasBeenReady);
  }

  private static CommandException damaged(Path file) {
    return new CommandException(
        file
            + " is damaged, so the ports of the members are unknown. Restore it, or use another"
            + " directory");
  }

  /**
   * Replaces the file atomically.
   *
   * @throws CommandException if it cannot be written
   */
  void write(Path directory) {
    StringBuilder text = new StringBuilder(HEADER).append('\n');
    for (MemberPorts ports : members) {
      text.append(
          "member %d grpc %d http %d members %d\n"
              .formatted(ports.id(), ports.port(), ports.httpPort(), ports.memberPort()));
    }
    text.append(hasBeenReady ? READY_LINE + "\n" : "");
    Path file = directory.resolve(NAME);
    try {
      SmallFile.replace(directory, NAME, text.toString().getBytes(UTF_8), Forcer.DISK);
    } catch (IOException e) {
      throw new CommandException("cannot write " + file + ": " + e, e);
    }
  }
}
