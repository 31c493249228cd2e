import type { Route } from '../../routing/route.ts'
import { productRoutes } from '../resources/products.ts'
import type { ProductService } from '../../../services/resources/product.ts'
import { productSchemas } from '../../../contract/resources/product.ts'

/** Routes for skills: named instructions with files that neurons load on demand. */
export const skillRoutes = ({ skills }: { skills: ProductService }): Route[] =>
  productRoutes({
    path: '/v1/skills',
    tag: 'Skills',
    one: 'a skill',
    many: 'skills',
    service: skills,
    schemas: productSchemas('skills', 'Skill'),
  })
