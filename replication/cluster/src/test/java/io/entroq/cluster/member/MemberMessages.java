package io.entroq.cluster.member;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the members in this process log, from the constructor until it is closed. Any thread. */
final class MemberMessages extends Handler implements AutoCloseable {
  private final Logger logger = Logger.getLogger(MemberErrors.class.getName());
  private final List<String> lines = new CopyOnWriteArrayList<>();

  MemberMessages() {
    logger.addHandler(this);
  }

  @Override
  public void publish(LogRecord line) {
    lines.add(line.getLevel() + " " + line.getMessage());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }

  /** Lines such as {@code INFO member 0 leads in term 0}. */
  List<String> lines() {
    return lines;
  }

  boolean has(String beginning) {
    return lines.stream().anyMatch(line -> line.startsWith(beginning));
  }
}
