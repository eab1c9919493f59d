package io.entroq.engine.log;

import java.util.List;

class MemoryLogTest extends CommandLogConformance {
  @Override
  protected CommandLog open(LogConfig config) {
    return new MemoryLog(config, 7);
  }

  @Override
  protected List<LogRecord> readBack(CommandLog log) {
    LogRecord.Collector collector = new LogRecord.Collector();
    ((MemoryLog) log).replay(collector);
    return collector.records;
  }
}
