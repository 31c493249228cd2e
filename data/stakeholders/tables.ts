import { defineTable } from '../shared/table.ts'
