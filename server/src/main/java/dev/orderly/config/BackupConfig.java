package dev.orderly.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Backups of the SQLite store by the server.
 *
 * @param to the folder
 * @param every from one backup to the next
 * @param keep number of backups in the folder, 1 or more
 */
public record BackupConfig(Path to, Duration every, int keep) {}
