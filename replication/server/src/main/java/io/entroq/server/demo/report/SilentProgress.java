package io.entroq.server.demo.report;

enum SilentProgress implements Progress {
  SILENT;

  @Override
  public void show(long committed, long total, String phase, String stages) {}

  @Override
  public void close() {}
}
