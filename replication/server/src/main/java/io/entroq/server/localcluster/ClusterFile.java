package io.entroq.server.localcluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.entroq.tools.terminal.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the directory of a cluster on this machine says of it, so that the next start is as the last
 * one: a file of lines.
 *
 * @param members of its members, in the order of their ids
 * @param hasBegun whether all have been ready once; from then on none may begin with nothing
 */
record ClusterFile(List<MemberPorts> members, boolean hasBegun) {
  static final String NAME = "cluster";

  private static final String HEAD = "entroq-cluster 1";
  private static final String BEGUN = "begun";
  private static final int BYTES_MAX = 4_096;
  private static final Pattern MEMBER =
      Pattern.compile("member (\\d) grpc (\\d{1,5}) http (\\d{1,5}) members (\\d{1,5})");

  ClusterFile {
    members = List.copyOf(members);
  }

  ClusterFile begun() {
    return new ClusterFile(members, true);
  }

  /**
   * Reads it; empty if there is none.
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
    if (lines.isEmpty() || !lines.get(0).equals(HEAD)) {
      throw damaged(file);
    }
    List<MemberPorts> members = new ArrayList<>();
    boolean hasBegun = lines.get(lines.size() - 1).equals(BEGUN);
    for (String line : lines.subList(1, lines.size() - (hasBegun ? 1 : 0))) {
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
    return new ClusterFile(members, hasBegun);
  }

  private static CommandException damaged(Path file) {
    return new CommandException(
        file
            + " is damaged, so the ports of the members are unknown. Restore it, or use another"
            + " directory");
  }

  /**
   * Writes it in place of the last one.
   *
   * @throws CommandException if it cannot be written
   */
  void write(Path directory) {
    StringBuilder text = new StringBuilder(HEAD).append('\n');
    for (MemberPorts place : members) {
      text.append(
          "member %d grpc %d http %d members %d\n"
              .formatted(place.id(), place.port(), place.httpPort(), place.memberPort()));
    }
    text.append(hasBegun ? BEGUN + "\n" : "");
    Path file = directory.resolve(NAME);
    Path next = directory.resolve(NAME + ".new");
    try {
      Files.writeString(next, text);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new CommandException("cannot write " + file + ": " + e, e);
    }
  }
}
